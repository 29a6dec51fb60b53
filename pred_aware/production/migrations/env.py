"""Runs the steps on the connection that `pred_aware.production.opening` has, all or none."""

from alembic import context

# what Alembic calls this file when it runs it; imported by anybody else it does nothing
if __name__ == "env_py":
    # SQLite undoes changes of a schema, too, with the transactions that are begun here
    context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
    with context.begin_transaction():
        context.run_migrations()
