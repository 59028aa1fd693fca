/** Followed by the journey's id: the session of a headless journey, as the bench sets it. */
export const SESSION_PREFIX = 'session-of-';
