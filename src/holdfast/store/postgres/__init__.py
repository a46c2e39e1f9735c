"""The team's store on PostgreSQL: records, sessions, projects and search of many machines."""
