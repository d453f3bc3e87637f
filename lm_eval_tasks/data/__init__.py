"""The data of every benchmark: where it comes from, how it is fetched and read."""
