import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './lock-briefly.js';

/** The real time of a call, in a sandbox that moved its time. */
export class RequestRealTime1767000110000 implements MigrationInterface {
  readonly name = 'RequestRealTime1767000110000';

  async up(runner: QueryRunner): Promise<void> {
    await lockBriefly(runner, 'partner_requests');
    await runner.query('ALTER TABLE partner_requests ADD COLUMN real_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE partner_requests DROP COLUMN real_at');
  }
}
