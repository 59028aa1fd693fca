/** The bench sets each headless journey's session to this prefix and the journey's id. */
export const SESSION_PREFIX = 'session-of-';
