/** The Kafka image for the platform and for tests. */
export const KAFKA_IMAGE = 'apache/kafka:4.3.1';
