/** What the service is: one for trying everything out, or the one that serves applicants. */
export type Mode = 'sandbox' | 'production';
