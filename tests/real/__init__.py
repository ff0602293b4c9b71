"""FootClub passages with dice from real photographs: reader, session, rules and journal, up to a goal."""
