"""What the battles say: results folders read back, summaries with intervals, comparison of variants."""
