import { Module } from '@nestjs/common';
import { ApiDocumentModule } from '../api-document/index.js';
import { DocsContent } from './docs-content.js';
import { DocsController } from './docs.controller.js';
import { TryPageController } from './try-page.controller.js';

/** The partners' documentation at `/docs`. */
@Module({
  imports: [ApiDocumentModule],
  // The pages with addresses of their own before the guides, which take any name.
  controllers: [TryPageController, DocsController],
  providers: [DocsContent],
})
export class DocsSiteModule {}
