"""Runs the migrations on the connection of `pred_aware.production.opening`, all or none."""

from alembic import context

# Alembic runs this file under this name; otherwise importing it does nothing
if __name__ == "env_py":
    # with transactions that begin here, SQLite can roll back schema changes too
    context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
    with context.begin_transaction():
        context.run_migrations()
