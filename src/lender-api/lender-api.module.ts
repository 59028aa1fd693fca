import { Injectable, Module } from '@nestjs/common';
import { AuditSigner } from '../audit/index.js';
import {
  ErasureModule,
  type LoanKey,
  type PersonalDataHolder,
  PersonalDataRegistry,
} from '../erasure/index.js';
import { LenderRecordsModule } from '../lenders/index.js';
import type { Tx } from '../platform/index.js';
import { AnswerIntake } from './callbacks/answer-intake.js';
import { CallbackIntake, LoanEventIntake } from './callbacks/callback-intake.js';
import { CallbackSender } from './callbacks/callback-sender.js';
import { LenderCallbacksController } from './callbacks/lender-callbacks.controller.js';
import { LenderMessageTasks, MessageLog } from './callbacks/message-log.js';
import { OfferRevisionIntake } from './callbacks/offer-revision-intake.js';
import { OwnApplications } from './callbacks/own-applications.js';
import { StatementChecks } from './callbacks/statement-checks.tasks.js';
import { StatementIntake } from './callbacks/statement-intake.js';
import { LenderCallMetrics } from './client/lender-call-metrics.js';
import { LenderCertificates } from './client/lender-certificates.js';
import { LenderClient } from './client/lender-client.js';
import { LenderHttp } from './client/lender-http.js';
import { LenderLanes } from './client/lender-lanes.js';
import { LenderPing } from './client/lender-ping.js';
import { SignatureAlarm } from './client/signature-alarm.js';
import { RlpConnector } from './connector/rlp-connector.js';
import { LenderKeys } from './keys/lender-keys.js';
import { OwnKeyAdministration, OwnKeyAuditSigner } from './keys/own-key-administration.js';
import { OwnKeys, OwnKeysController } from './keys/own-keys.js';
import { LenderApiKeysRepository } from './store/lender-api-keys.repository.js';
import {
  LenderMessagesRepository,
  LenderRequestIdsRepository,
} from './store/lender-messages.repository.js';

/** Keeps statements: they name no applicant. */
@Injectable()
class LenderMessagePersonalData implements PersonalDataHolder {
  readonly order = 7;

  readonly personalColumns = LenderMessagesRepository.PERSONAL_COLUMNS;

  constructor(
    registry: PersonalDataRegistry,
    private readonly messages: LenderMessagesRepository,
  ) {
    registry.registerRecords(this);
  }

  erase(tx: Tx, { partnerId, id }: LoanKey): Promise<number> {
    return this.messages.erase(tx, partnerId, id);
  }
}

/** Separate, since erasure on the command line needs only this. */
@Module({
  imports: [ErasureModule],
  providers: [LenderMessagesRepository, LenderMessagePersonalData],
  exports: [LenderMessagesRepository],
})
export class LenderMessagesModule {}

@Module({
  providers: [
    LenderApiKeysRepository,
    OwnKeys,
    OwnKeyAdministration,
    { provide: AuditSigner, useClass: OwnKeyAuditSigner },
    LenderHttp,
    LenderCertificates,
    LenderKeys,
    LenderCallMetrics,
    LenderLanes,
    SignatureAlarm,
    LenderClient,
    LenderPing,
  ],
  exports: [
    OwnKeys,
    OwnKeyAdministration,
    AuditSigner,
    LenderKeys,
    LenderClient,
    LenderLanes,
    LenderPing,
    SignatureAlarm,
    LenderCallMetrics,
  ],
})
export class LenderClientModule {}

@Module({
  imports: [LenderClientModule, LenderMessagesModule, LenderRecordsModule],
  controllers: [OwnKeysController, LenderCallbacksController],
  providers: [
    RlpConnector,
    LenderRequestIdsRepository,
    CallbackSender,
    CallbackIntake,
    MessageLog,
    OwnApplications,
    AnswerIntake,
    OfferRevisionIntake,
    LoanEventIntake,
    StatementIntake,
    StatementChecks,
    LenderMessageTasks,
  ],
  exports: [LenderClientModule, RlpConnector],
})
export class LenderApiModule {}
