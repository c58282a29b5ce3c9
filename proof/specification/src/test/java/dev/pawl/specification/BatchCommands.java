package dev.pawl.specification;

import static dev.pawl.specification.Difference.same;

import dev.pawl.Workflow;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;

/** Commands for queues, batches and workflows. */
final class BatchCommands {
    private BatchCommands() {}

    /** Pauses or resumes a queue. */
    record Pause(String queue, boolean pause) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            Pawl.Said said = pawl.run(pause ? "pause" : "resume", "queue", queue, "--new");
            same("exit code of " + said, 0, said.exit());
            if (pause) {
                model.pauseQueue(queue);
            } else {
                boolean changed = pawl.isJson()
                        ? said.json().get("changed").asBoolean()
                        : !said.out().contains(" was not paused");
                model.resumeQueue(queue, changed);
            }
            boolean isPaused = pawl.isJson()
                    ? said.json().get("paused").asBoolean()
                    : said.out().contains(" is paused") || said.out().contains("all queues are paused");
            same("queue " + queue + " is paused", pause || model.allPaused, isPaused);
        }

        @Override
        public String toString() {
            return Op.call(pause ? "pawlPause" : "pawlResume", queue);
        }
    }

    /** Pauses or resumes all queues. */
    record PauseAll(boolean pause) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            Pawl.Said said = pawl.run(pause ? "pause" : "resume", "all");
            same("exit code of " + said, 0, said.exit());
            if (!pause) {
                boolean changed = pawl.isJson()
                        ? said.json().get("changed").asBoolean()
                        : said.out().startsWith("all queues run again");
                same("all queues resumed", model.allPaused, changed);
            }
            model.allPaused = pause;
        }

        @Override
        public String toString() {
            return Op.call(pause ? "pawlPauseAll" : "pawlResumeAll");
        }
    }

    /** Changes a batch, or a node of a workflow, which is a batch. */
    record ChangeBatch(Op.BatchChange change, int batch) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            OptionalLong place = model.batches.at(batch);
            if (place.isEmpty()) {
                return;
            }
            long id = place.getAsLong();
            Pawl.Said said = pawl.run(Pawl.word(change), "batch", Long.toString(id));
            same("exit code of " + said, 0, said.exit());
            switch (change) {
                case SEAL -> model.batches.seal(id, isChanged(pawl, said, " is sealed"));
                case PAUSE -> model.batches.pause(id);
                case RESUME -> model.batches.resume(id, isChanged(pawl, said, " is resumed"));
                case CANCEL -> model.batches.cancel(id, cancelled(pawl, said));
            }
        }

        private static boolean isChanged(Pawl pawl, Pawl.Said said, String words) {
            return pawl.isJson()
                    ? said.json().get("changed").asBoolean()
                    : said.out().contains(words);
        }

        @Override
        public String toString() {
            return Op.call("pawlBatch", change, batch);
        }
    }

    private static long cancelled(Pawl pawl, Pawl.Said said) {
        return pawl.isJson()
                ? said.json().get("cancelled").asLong()
                : Long.parseLong(said.find("(\\d+) job\\(s\\) cancelled"));
    }

    /** Cancels the workflow of a job. */
    record CancelWorkflow(int job) implements Command {
        @Override
        public void on(Pawl pawl, Real real, Model model) throws SQLException {
            OptionalLong place = model.place(job);
            Optional<Workflow> workflow = place.isEmpty()
                    ? Optional.empty()
                    : real.queue.workflow(
                            real.queue.admin().jobs().find(place.getAsLong()).orElseThrow());
            if (workflow.isEmpty()) {
                return;
            }
            Pawl.Said said =
                    pawl.run("cancel", "workflow", Long.toString(workflow.get().id()));
            same("exit code of " + said, 0, said.exit());
            model.batches.cancel(workflow.get().id(), cancelled(pawl, said));
        }

        @Override
        public String toString() {
            return Op.call("pawlCancelWorkflow", job);
        }
    }
}
