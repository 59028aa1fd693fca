import { Module } from '@nestjs/common';
import { ApiDocument } from './api-document.js';
import { ApiDocumentController } from './api-document.controller.js';
import { DocsPageController } from './docs-page.controller.js';

/** The API's own description, and a page to read and try it; part of the composition root. */
@Module({
  controllers: [ApiDocumentController, DocsPageController],
  providers: [ApiDocument],
})
export class ApiDocumentModule {}
