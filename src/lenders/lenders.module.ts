import { type DynamicModule, Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { ErasureModule } from '../erasure/index.js';
import { LenderGateway } from './lender-gateway.js';
import { LenderInbox } from './lender-inbox.js';
import { LenderPersonalData } from './lender-personal-data.js';
import { LENDER_CONNECTORS, type LenderConnector } from './lender-port.js';
import { OfferExamination } from './offer-examination.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { PendingAnswers } from './pending-answers.tasks.js';
import { QuestionWaits } from './question-waits.js';
import { QuestionWorker } from './question-worker.js';
import { RefusedOffers } from './refused-offers.js';
import { LenderInboxRepository } from './store/lender-inbox.repository.js';
import { LenderQuestionsRepository } from './store/lender-questions.repository.js';
import { LenderReferences } from './store/lender-references.js';
import { LenderPayouts, LenderStatementsRepository } from './store/lender-statements.repository.js';
import { QuestionOutbox } from './store/question-outbox.js';

interface ConnectorClass {
  new (...parts: never[]): LenderConnector;
  readonly adapter: string;
}

export interface ConnectorBinding {
  readonly imports: NonNullable<ModuleMetadata['imports']>;
  readonly inject: ConnectorClass[];
}

/** Used by adapters. */
@Module({
  imports: [ErasureModule],
  providers: [
    LenderInbox,
    LenderInboxRepository,
    LenderQuestionsRepository,
    LenderPayouts,
    LenderReferences,
    LenderStatementsRepository,
    QuestionOutbox,
    LenderPersonalData,
  ],
  exports: [
    LenderInbox,
    LenderPayouts,
    LenderQuestionsRepository,
    LenderReferences,
    LenderStatementsRepository,
    QuestionOutbox,
  ],
})
export class LenderRecordsModule {}

@Module({})
export class LendersModule {
  static withConnectors(binding: ConnectorBinding): DynamicModule {
    const connectors: Provider = {
      provide: LENDER_CONNECTORS,
      useFactory: (...bound: LenderConnector[]) => bound,
      inject: binding.inject,
    };
    return {
      module: LendersModule,
      global: true,
      imports: [LenderRecordsModule, ...binding.imports],
      providers: [
        connectors,
        LenderGateway,
        OfferExamination,
        RefusedOffers,
        OutcomeRecorder,
        PendingAnswers,
        QuestionWaits,
        QuestionWorker,
      ],
      exports: [LenderRecordsModule, LenderGateway, OfferExamination],
    };
  }
}
