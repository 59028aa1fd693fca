/** Before the journey's id, the session of a headless one, as the bench has set it. */
export const SESSION_PREFIX = 'session-of-';
