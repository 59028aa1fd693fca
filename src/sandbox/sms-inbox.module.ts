import { Module } from '@nestjs/common';
import { SmsInboxController } from './sms-inbox.controller.js';
import { SmsInboxGateway } from './sms-inbox.gateway.js';

@Module({
  providers: [SmsInboxGateway],
  exports: [SmsInboxGateway],
})
export class SmsInboxModule {}

@Module({ controllers: [SmsInboxController] })
export class SmsInboxPageModule {}
