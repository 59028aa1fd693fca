import { baseline } from './baseline.js';

/** The columns of an instant loan that its journey lacks. */
export const InstantLoans1766000140000 = baseline('InstantLoans1766000140000', {
  up: `
  CREATE TABLE instant_loans (
    id text PRIMARY KEY,
    partner_id text NOT NULL,
    journey_id text NOT NULL,
    sms_id text NOT NULL,
    is_sms_sent boolean,
    created_at timestamptz NOT NULL DEFAULT app_now(),
    CONSTRAINT instant_loans_application FOREIGN KEY (id) REFERENCES applications,
    CONSTRAINT instant_loans_journey FOREIGN KEY (journey_id) REFERENCES journeys
  );
  CREATE UNIQUE INDEX instant_loans_by_journey ON instant_loans (journey_id);
`,
  down: `
  DROP TABLE instant_loans;
`,
});
