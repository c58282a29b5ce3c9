package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Outcome;
import dev.pawl.api.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Runs in Java's flight recorder. */
@Isolated // it records all runs of this JVM
class FlightRecordTest extends EngineFixture {
    @Test
    void eachRunIsAnEventWithItsOutcome(@TempDir Path folder) throws Exception {
        policy = RetryPolicy.fixed(Duration.ZERO);
        store.add("fine", 20);
        store.add("fails once", 20);
        store.add("unwanted", 20);
        Path file = folder.resolve("runs.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("dev.pawl.api.JobRun");
            recording.start();
            Engine engine = start(1, (payload, run) -> switch (payload) {
                case "fails once" -> {
                    if (run.attempt() == 1) {
                        throw new IllegalStateException("down");
                    }
                    yield Outcome.completed();
                }
                case "unwanted" -> Outcome.discard("unwanted");
                default -> Outcome.completed();
            });
            await(() -> engine.stats().completed() == 2 && engine.stats().discarded() == 1);
            engine.stop(Duration.ofSeconds(20)); // the last event is written after the outcome
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertThat(events)
                .extracting(event -> event.getString("outcome") + " " + event.getInt("attempt"))
                .containsExactlyInAnyOrder("completed 1", "failed 1", "completed 2", "discarded 1");
        assertThat(events).allSatisfy(event -> {
            assertThat(event.getString("kind")).isEqualTo("greet");
            assertThat(event.getString("queue")).isEqualTo("default");
            assertThat(event.getLong("jobId")).isPositive();
            assertThat(event.getDuration()).isPositive();
        });
    }

    @Test
    void withoutARecordingThereIsNoEvent() {
        assertThat(FlightRecord.begin()).isNull();
    }
}
