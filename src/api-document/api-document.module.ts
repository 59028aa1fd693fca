import { Module } from '@nestjs/common';
import { ApiDocument } from './api-document.js';
import { ApiDocumentController } from './api-document.controller.js';

/** The API's own description. */
@Module({
  controllers: [ApiDocumentController],
  providers: [ApiDocument],
  exports: [ApiDocument],
})
export class ApiDocumentModule {}
