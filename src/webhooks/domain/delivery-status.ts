/** What a delivery's row says; the first is open, the others are final. */
const STORED_STATUSES = ['PENDING', 'SUCCEEDED', 'EXHAUSTED', 'CANCELLED'] as const;

export type StoredDeliveryStatus = (typeof STORED_STATUSES)[number];

/** What is shown: an open delivery whose subscription is inactive is PAUSED. */
export const DELIVERY_STATUSES = [...STORED_STATUSES, 'PAUSED'] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
