/** Any other failure becomes `internal_error`; its cause is only logged. */
export const ERROR_CATALOGUE = {
  malformed_credentials: { status: 401, message: 'A required authentication header is missing' },
  invalid_signature: { status: 401, message: 'Invalid signature or expired timestamp' },
  nonce_reused: { status: 401, message: 'This nonce was already used; sign again with a new one' },
  journey_session_missing: {
    status: 401,
    message: 'Send the journey session in the X-Journey-Session header',
  },
  journey_session_invalid: {
    status: 401,
    message: 'The journey session is not valid; send the one that initiate returned',
  },
  key_suspended: { status: 403, message: 'This API key is suspended; contact support' },
  key_revoked: { status: 403, message: 'This API key is revoked; use another key' },
  partner_suspended: { status: 403, message: 'This partner is suspended; contact support' },
  scope_missing: { status: 403, message: 'This API key lacks the scope of this call' },
  form_expired: {
    status: 403,
    message: 'This form has expired; reload the page',
  },
  product_not_assigned: { status: 403, message: 'This product is not assigned to the API key' },
  rate_limited: { status: 429, message: 'Too many requests; wait for the seconds in Retry-After' },
  rotation_limit_reached: {
    status: 429,
    message: 'Secret rotation limit reached (10 in 24 hours); wait for Retry-After',
  },
  route_not_found: { status: 404, message: 'No such path; check the URL' },
  journey_not_found: { status: 404, message: 'No such journey' },
  application_not_found: { status: 404, message: 'No such application' },
  subscription_not_found: { status: 404, message: 'No such webhook subscription' },
  delivery_not_found: { status: 404, message: 'No such webhook delivery' },
  product_unavailable: {
    status: 404,
    message: 'This product is not available now; choose another',
  },
  link_not_found: { status: 404, message: 'This link is not valid' },
  malformed_json: { status: 400, message: 'The body is not valid JSON' },
  malformed_request: { status: 400, message: 'The request is malformed' },
  validation_failed: { status: 400, message: 'Validation failed' },
  subscription_limit_reached: {
    status: 400,
    message: 'Webhook subscription limit reached; delete one first',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not allow this method; see the Allow header',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as uncompressed JSON in UTF-8',
  },
  cursor_expired: {
    status: 410,
    message: 'This cursor has expired; start again without it',
  },
  body_too_large: { status: 413, message: 'The body is larger than 100 KB' },
  request_timeout: { status: 408, message: 'The request did not arrive in time; send it again' },
  headers_too_large: { status: 431, message: 'The URL and the headers are too large' },
  wrong_step: { status: 409, message: 'The journey is at another step; read it again' },
  action_in_flight: {
    status: 409,
    message: 'Another action on this journey is in progress; read it again',
  },
  hosted_journey: {
    status: 409,
    message: 'This journey is hosted: only the applicant can act, on its pages',
  },
  offer_expired: { status: 409, message: 'This offer is no longer valid; read the journey again' },
  key_facts_changed: {
    status: 409,
    message: 'The Key Facts Statement has changed; read it again',
  },
  delivery_not_finished: {
    status: 409,
    message: 'This delivery is still in progress',
  },
  subscription_inactive: {
    status: 409,
    message: 'This webhook subscription is inactive; enable it first',
  },
  return_already_seen: {
    status: 409,
    message: 'This return was already reported; read the journey',
  },
  idempotency_key_reused: {
    status: 409,
    message: 'This Idempotency-Key was used with another body; use a new key',
  },
  idempotency_in_flight: {
    status: 409,
    message: 'The first request with this Idempotency-Key is running; retry later',
  },
  payment_not_due: {
    status: 409,
    message: 'No fee is due on this application; read its status',
  },
  time_travel_in_progress: {
    status: 409,
    message: 'Another call is moving the sandbox’s time; wait for it',
  },
  internal_error: { status: 500, message: 'Internal error; retry later' },
  lender_unavailable: {
    status: 503,
    message: 'The lender cannot be reached; nothing has changed, try again',
  },
  service_unavailable: { status: 503, message: 'The service is unavailable; retry later' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
