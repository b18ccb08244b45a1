"""Language models: client, tool loop, budget, ledger, redaction, replay."""
