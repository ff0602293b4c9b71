"""Classification of candidates: faces, pips, figures and colours, for a dice set and the current light."""
