import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The places of events in their partner's stream, and how far each stream goes. */
export class EventPositions1764600400000 implements MigrationInterface {
  name = 'EventPositions1764600400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE webhook_events ADD COLUMN position bigint');
    await runner.query(INDEXES);
    await runner.query(STREAMS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP TABLE webhook_streams');
    await runner.query('CREATE INDEX webhook_events_by_age ON webhook_events (created_at)');
    await runner.query('DROP INDEX webhook_events_by_position, webhook_events_unplaced');
    await runner.query('ALTER TABLE webhook_events DROP COLUMN position');
  }
}

// An event has a position once its partner has asked for it. The index of those without takes the place
// of the one by age, whose only reader goes by the ids, which rise with time: an event that is written
// costs as many entries as before.
const INDEXES = `
  CREATE UNIQUE INDEX webhook_events_by_position ON webhook_events (partner_id, position)
    WHERE position IS NOT NULL;
  CREATE INDEX webhook_events_unplaced ON webhook_events (partner_id, id) WHERE position IS NULL;
  DROP INDEX webhook_events_by_age;
`;

const STREAMS = `
  CREATE TABLE webhook_streams (
    partner_id text PRIMARY KEY,
    placed_to bigint NOT NULL DEFAULT 0,
    removed_to bigint NOT NULL DEFAULT 0,
    CONSTRAINT webhook_streams_partner FOREIGN KEY (partner_id) REFERENCES partners (id),
    CONSTRAINT webhook_streams_removed CHECK (removed_to <= placed_to)
  );
`;
