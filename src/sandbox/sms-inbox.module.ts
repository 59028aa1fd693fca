import { Module } from '@nestjs/common';
import { SmsInbox } from './sms-inbox.js';
import { SmsInboxController } from './sms-inbox.controller.js';
import { SmsInboxGateway } from './sms-inbox.gateway.js';

/** The simulated SMS gateway. */
@Module({
  providers: [SmsInbox, SmsInboxGateway],
  exports: [SmsInbox, SmsInboxGateway],
})
export class SmsInboxModule {}

/** The page that shows everybody what the simulated gateway took. */
@Module({
  imports: [SmsInboxModule],
  controllers: [SmsInboxController],
})
export class SmsInboxPageModule {}
