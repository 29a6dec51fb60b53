"""Alembic migrations between the versions of the store's schema."""
