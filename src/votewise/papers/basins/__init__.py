"""Same Target, Different Basins: Hard vs. Soft Labels for Annotator Distributions (Gheibi and Ghazizadeh 2026)."""
