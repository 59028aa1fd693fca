/**
 * For how long and how often applicants may use what lets them in. The pages fill in from here what they say of it.
 */
export const ENTRY_LIMITS = {
  /** A link's life until it is used. */
  linkDays: 3,
  /** Links sent for a journey in an hour. */
  linksAnHour: 3,
  /** A one-time code's life until it is used. */
  codeMinutes: 5,
  /** Wrong entries of a one-time code, after which it is void. */
  codeTries: 5,
  /** A signed-in browser's time without a request, after which it is signed out. */
  sessionIdleMinutes: 30,
};
