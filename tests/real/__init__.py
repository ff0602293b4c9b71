"""FootClub passages whose dice are real photographs: reader, session, rules and journal, to a goal."""
