/** Any other failure becomes `internal_error`; its cause is only logged. */
export const ERROR_CATALOGUE = {
  malformed_credentials: { status: 401, message: 'A required authentication header is missing' },
  invalid_signature: { status: 401, message: 'Invalid signature or expired timestamp' },
  nonce_reused: { status: 401, message: 'This nonce has been used before' },
  journey_session_missing: {
    status: 401,
    message: 'This journey needs its session in the X-Journey-Session header',
  },
  journey_session_invalid: { status: 401, message: 'The journey session is not valid' },
  key_suspended: { status: 403, message: 'This API key is suspended' },
  key_revoked: { status: 403, message: 'This API key is revoked' },
  partner_suspended: { status: 403, message: 'This partner is suspended' },
  scope_missing: { status: 403, message: 'This API key lacks a scope that the call needs' },
  form_expired: {
    status: 403,
    message: 'The form is not of a page that this browser was shown; open it again',
  },
  product_not_assigned: { status: 403, message: 'This product is not assigned to the API key' },
  rate_limited: { status: 429, message: 'Too many requests' },
  rotation_limit_reached: {
    status: 429,
    message: 'A webhook secret can be rotated at most ten times within 24 hours',
  },
  route_not_found: { status: 404, message: 'There is nothing at this address' },
  journey_not_found: { status: 404, message: 'No such journey' },
  application_not_found: { status: 404, message: 'No such application' },
  subscription_not_found: { status: 404, message: 'No such webhook subscription' },
  delivery_not_found: { status: 404, message: 'No such webhook delivery' },
  product_unavailable: { status: 404, message: 'This product is not available at present' },
  link_not_found: { status: 404, message: 'This link is not valid' },
  malformed_json: { status: 400, message: 'The body is not valid JSON' },
  malformed_request: { status: 400, message: 'The request cannot be understood' },
  validation_failed: { status: 400, message: 'Validation failed' },
  subscription_limit_reached: {
    status: 400,
    message: 'The most webhook subscriptions that a partner may have are registered',
  },
  method_not_allowed: {
    status: 405,
    message: 'This address takes other methods: the Allow header lists them',
  },
  unsupported_media_type: {
    status: 415,
    message: 'The body cannot be read as JSON; send JSON in UTF-8, uncompressed',
  },
  cursor_expired: {
    status: 410,
    message: 'Events after this cursor are no longer kept; start again without it',
  },
  body_too_large: { status: 413, message: 'The body is larger than 100 KB' },
  request_timeout: { status: 408, message: 'The request did not arrive in time' },
  headers_too_large: { status: 431, message: 'The request’s address and headers are too large' },
  wrong_step: { status: 409, message: 'The journey is at another step; read it again' },
  action_in_flight: {
    status: 409,
    message: 'Another action on this journey is in progress; read it again',
  },
  hosted_journey: {
    status: 409,
    message: 'The applicant drives this journey on the hosted screens',
  },
  offer_expired: { status: 409, message: 'This offer is no longer valid; read the journey again' },
  key_facts_changed: {
    status: 409,
    message: 'The Key Facts Statement is not the one that was shown; look at it again',
  },
  delivery_not_finished: {
    status: 409,
    message: 'This delivery is not finished: it is sent without any help',
  },
  subscription_inactive: {
    status: 409,
    message: 'This webhook subscription is inactive; enable it first',
  },
  return_already_seen: { status: 409, message: 'The return from this step has been seen before' },
  idempotency_key_reused: {
    status: 409,
    message: 'This Idempotency-Key was used before with another body',
  },
  idempotency_in_flight: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still in progress',
  },
  payment_not_due: {
    status: 409,
    message: 'There is no fee to pay on this application; read its status',
  },
  time_travel_in_progress: {
    status: 409,
    message: 'The sandbox’s time is being moved by another call; wait for that one',
  },
  internal_error: { status: 500, message: 'Something went wrong on our side' },
  lender_unavailable: {
    status: 503,
    message: 'The lender cannot be reached at present; nothing has changed, try again',
  },
  service_unavailable: { status: 503, message: 'The service is not available at present' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
