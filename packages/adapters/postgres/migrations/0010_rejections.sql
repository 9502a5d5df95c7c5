DROP INDEX "rejected_pairs_of_identity";--> statement-breakpoint
DROP INDEX "suggestions_of_identity";--> statement-breakpoint
ALTER TABLE "rejected_pairs" ADD COLUMN "is_latest" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "rejected_pairs_of_identity" ON "rejected_pairs" USING btree ("environment_id","identity_id","detection_id");--> statement-breakpoint
CREATE INDEX "suggestions_of_identity" ON "suggestions" USING btree ("environment_id","identity_id","detection_id","model_id");