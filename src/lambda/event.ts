type Values = Readonly<Record<string, string | undefined>>;
type MultiValues = Readonly<Record<string, string[] | undefined>>;

/**
 * The used part of an event: of an HTTP API or a REST API of API Gateway (payload 2.0 and 1.0), of a function URL, or of
 * an Application Load Balancer.
 */
export interface LambdaEvent {
  /** Payload 2.0 and function URLs. */
  readonly rawPath?: string | undefined;
  readonly rawQueryString?: string | undefined;
  readonly cookies?: string[] | undefined;
  /** Payload 1.0 and load balancers. */
  readonly httpMethod?: string | undefined;
  readonly path?: string | undefined;
  readonly multiValueHeaders?: MultiValues | null | undefined;
  readonly queryStringParameters?: Values | null | undefined;
  readonly multiValueQueryStringParameters?: MultiValues | null | undefined;
  readonly headers?: Values | null | undefined;
  readonly body?: unknown;
  /** The body as it was sent, if a middleware has parsed `body`: in the same encoding, or as bytes. */
  readonly rawBody?: unknown;
  readonly isBase64Encoded?: boolean | undefined;
  readonly requestContext: {
    readonly domainName?: string | undefined;
    readonly http?: { readonly method: string } | undefined;
    readonly path?: string | undefined;
    readonly elb?: unknown;
  };
}
