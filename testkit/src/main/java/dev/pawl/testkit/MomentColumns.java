package dev.pawl.testkit;

import java.util.List;
import java.util.Map;

/** The columns that contain moments. A test compares this with the schema. */
final class MomentColumns {
    private MomentColumns() {}

    /**
     * Columns of the database's timestamp type, or of microseconds on SQLite, by table. {@link TimeShift} treats those columns separately
     * that are part of a key.
     */
    static final Map<String, List<String>> OF_THE_TYPE = Map.ofEntries(
            Map.entry(
                    "pawl_job", List.of("created_at", "available_at", "started_at", "lease_expires_at", "expires_at")),
            Map.entry(
                    "pawl_job_history",
                    List.of("created_at", "available_at", "started_at", "finished_at", "expires_at")),
            Map.entry("pawl_attempt", List.of("started_at", "failed_at")),
            Map.entry("pawl_job_log", List.of("logged_at")),
            Map.entry("pawl_worker", List.of("started_at", "heartbeat_at", "stopped_at")),
            Map.entry("pawl_queue", List.of("paused_at")),
            Map.entry("pawl_slot", List.of("reserved_at", "expires_at", "used_at")),
            Map.entry("pawl_assignment", List.of("assigned_at")),
            Map.entry("pawl_remote_worker", List.of("checked_at")),
            Map.entry("pawl_lane_job", List.of("created_at", "expires_at")),
            Map.entry("pawl_lane_range", List.of("claimed_at", "lease_expires_at", "finished_at", "recount_at")),
            Map.entry("pawl_schedule", List.of("next_at", "next_check_at", "last_tick", "paused_at", "created_at")),
            Map.entry("pawl_tick", List.of("tick", "checked_at")),
            Map.entry("pawl_result", List.of("written_at")),
            Map.entry("pawl_batch", List.of("created_at", "sealed_at")),
            Map.entry("pawl_batch_pause", List.of("paused_at", "released_at")),
            Map.entry("pawl_batch_count", List.of("stopped_at", "done_at")),
            Map.entry("pawl_step", List.of("written_at", "until_at")),
            Map.entry("pawl_stack", List.of("requested_at", "reported_at")),
            Map.entry("pawl_limit", List.of("next_start_at", "paused_until")),
            Map.entry("pawl_permit", List.of("expires_at")),
            Map.entry("pawl_unique", List.of("recheck_at", "expires_at")),
            Map.entry("pawl_leader", List.of("held_until")),
            Map.entry("pawl_sample", List.of("taken_at")));

    /** Columns of microseconds on every database, where zero means that there is no moment. */
    static final Map<String, List<String>> OF_MICROSECONDS =
            Map.of("pawl_key", List.of("next_start_at", "next_release_at", "kept_until", "paused_until"));
}
