import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockBriefly } from './lock-briefly.js';

/** Who named the amount of a journey and of its lead. */
export class LoanAmountSources1764701000040 implements MigrationInterface {
  name = 'LoanAmountSources1764701000040';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['journeys', 'applications']) {
      await lockBriefly(runner, table);
      await runner.query(`ALTER TABLE ${table} ADD COLUMN loan_amount_source text`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['journeys', 'applications']) {
      await lockBriefly(runner, table);
      await runner.query(`ALTER TABLE ${table} DROP COLUMN loan_amount_source`);
    }
  }
}
