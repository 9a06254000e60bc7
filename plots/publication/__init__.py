"""An artifact for reviewers: appendix, citation, a Process Run Crate; and a colleague's crate beside it."""
