import { Controller, Get } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiDocument } from './api-document.js';

@Controller()
export class ApiDocumentController {
  constructor(private readonly document: ApiDocument) {}

  @Get('openapi.json')
  read(): Promise<OpenAPIObject> {
    return this.document.read();
  }
}
