"""The audit log: who wrote what, and who was refused."""
