package dev.pawl.specification;

import dev.pawl.api.Strategy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A program, and its result. */
public record Program(Strategy strategy, List<Op> steps) {
    /** The duration of each step. */
    private static final Duration STEP = Duration.ofMillis(1);

    /** Batches are compared once in this many steps, because each batch takes a statement, and a wrong batch stays wrong until then. */
    private static final int BATCHES_EVERY = 4;

    /** A difference that a program found. */
    public record Failure(Program program, int step, Throwable cause) {
        /** {@return its class and message without numbers; failures that differ only in numbers count as the same failure} */
        String sort() {
            return cause.getClass().getSimpleName() + " "
                    + String.valueOf(cause.getMessage())
                            .replaceAll("[0-9]{4}-[0-9-]*T[0-9:.]*Z", "T")
                            .replaceAll("[0-9]+", "N")
                            .replaceAll("\\b[A-Z_]{3,}\\b", "X");
        }

        /** Prints it as a test, to be copied into a class. */
        @Override
        public String toString() {
            return "step " + step + ": " + cause.getMessage() + "\n\n    @Test\n    void found() {\n        run("
                    + strategyText(program.strategy) + ",\n                "
                    + program.steps.stream().map(Object::toString).collect(Collectors.joining(",\n                "))
                    + ");\n    }\n";
        }
    }

    private static String strategyText(Strategy strategy) {
        return strategy instanceof Strategy.Lanes ? "Strategy.LANES" : "Strategy.ROWS";
    }

    /** Runs the program, and compares the queue with the model after each step. */
    public Optional<Failure> run(Stage stage) {
        int step = 0;
        try (Real real = new Real(stage, strategy)) {
            Model model = new Model(strategy instanceof Strategy.Lanes);
            for (Op op : steps) {
                step++;
                model.clock.meet(real.workers());
                model.now = model.now.plus(STEP);
                real.clock(model.now);
                op.on(real, model);
                if (op instanceof Remains) {
                    break; // this step has ended all jobs of the model
                }
                model.compare(real.listed());
                if (step % BATCHES_EVERY == 0 || step == steps.size()) {
                    real.compareBatches(model);
                }
                real.compareRest(model);
            }
            return Optional.empty();
        } catch (SQLException | RuntimeException | AssertionError found) {
            return Optional.of(new Failure(this, step, found));
        }
    }
}
