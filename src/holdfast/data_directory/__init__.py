"""The small files beside the store: spool, requests, marks, log, orders."""
