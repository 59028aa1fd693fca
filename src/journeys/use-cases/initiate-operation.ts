/** The operation's name, under which answers to its Idempotency-Keys are kept. */
export const INITIATE_OPERATION = 'journey/initiate';
