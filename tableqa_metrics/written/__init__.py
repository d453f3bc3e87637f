"""What people write, read as a whole or not at all: numbers, dates, and their alphabet."""
