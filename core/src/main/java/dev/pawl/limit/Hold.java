package dev.pawl.limit;

import java.time.Instant;

/**
 * Jobs are held back: what they need is not available, or somebody wants them to wait. When the time is over, one job at a
 * time is tried in the whole cluster until one ends without saying that it is still unavailable; by then the hold is gone.
 *
 * @param until no job starts before; by the database's clock
 * @param times how often in a row it was found unavailable; 0 if a person holds them
 * @param reason why
 */
public record Hold(Instant until, int times, String reason) {}
