"""All that a deployment keeps in its database, as one archive, from either database to either."""
