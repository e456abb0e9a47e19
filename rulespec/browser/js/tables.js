/** Data that the page shares with Python; the script of the player begins with it. */

export const tables = globalThis.rulespecTables;
