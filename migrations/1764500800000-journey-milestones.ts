import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What applicants are to be told by SMS, of a journey each milestone once. */
export class JourneyMilestones1764500800000 implements MigrationInterface {
  name = 'JourneyMilestones1764500800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE journey_milestones (
        journey_id text NOT NULL,
        milestone text NOT NULL,
        partner_id text NOT NULL,
        state text NOT NULL,
        due_at timestamptz NOT NULL,
        ends_at timestamptz NOT NULL,
        noted_at timestamptz NOT NULL,
        outcome text,
        sms_id text,
        settled_at timestamptz,
        CONSTRAINT journey_milestones_pkey PRIMARY KEY (journey_id, milestone),
        CONSTRAINT journey_milestones_journey FOREIGN KEY (journey_id) REFERENCES journeys (id),
        CONSTRAINT journey_milestones_outcome
          CHECK (outcome IN ('TOLD', 'UNTRUE', 'NOBODY', 'NO_TEXT')),
        CONSTRAINT journey_milestones_settled CHECK ((outcome IS NULL) = (settled_at IS NULL)),
        CONSTRAINT journey_milestones_told
          CHECK ((outcome IS NOT DISTINCT FROM 'TOLD') = (sms_id IS NOT NULL))
      )
    `);
    await runner.query(`
      CREATE INDEX journey_milestones_due ON journey_milestones (due_at) WHERE settled_at IS NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TABLE journey_milestones');
  }
}
