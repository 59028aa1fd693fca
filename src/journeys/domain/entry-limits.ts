/** The pages quote these figures. */
export const ENTRY_LIMITS = {
  /** Until it is used. */
  linkDays: 3,
  /** Per journey. */
  linksAnHour: 3,
  /** Until it is used. */
  codeMinutes: 5,
  /** Wrong entries that void a code. */
  codeTries: 5,
  sessionIdleMinutes: 30,
};
