"""What several rooms stand on: the contracts' values, runtime, language, models, documents. Imports no stage."""
