import { Module } from '@nestjs/common';
import { MatchingModule } from '../matching/index.js';
import { EligibilityChecks } from './eligibility-checks.js';
import { EligibilityController } from './eligibility.controller.js';

@Module({
  imports: [MatchingModule],
  controllers: [EligibilityController],
  providers: [EligibilityChecks],
})
export class EligibilityModule {}
