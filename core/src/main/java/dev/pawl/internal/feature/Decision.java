package dev.pawl.internal.feature;

/**
 * What a feature does in a transition.
 *
 * @param by what carries it out
 * @param text what is done, or why nothing is
 * @param rows what happens to the rows that the feature has linked to the jobs
 */
public record Decision(By by, String text, RowPolicy rows) {
    /** What carries out a decision. */
    public enum By {
        /** There is nothing to do. */
        NOTHING("–"),
        /** The operation deletes the linked rows. */
        ROWS("rows"),
        /** The operation calls the hook that the feature has for this transition. */
        HOOK("hook"),
        /** The kernel still carries it out itself, with code that knows the feature. */
        KERNEL("kernel");

        private final String sign;

        By(String sign) {
            this.sign = sign;
        }

        /** {@return the word for it in the table of transitions} */
        public String sign() {
            return sign;
        }
    }

    /** {@return the decision that the feature is not affected, for this reason; its linked rows stay} */
    public static Decision unaffected(String reason) {
        return new Decision(By.NOTHING, reason, new RowPolicy.Keep());
    }

    /** {@return the decision that the linked rows are deleted, as nothing needs them without their job} */
    public static Decision deleteRows() {
        return new Decision(By.ROWS, "its rows are deleted", new RowPolicy.Delete(RowPolicy.Order.BEFORE_JOB));
    }

    /** {@return the decision that the linked rows are deleted after the row of their job} */
    public static Decision deleteRowsAfterJob() {
        return new Decision(
                By.ROWS,
                "its rows are deleted after the row of their job",
                new RowPolicy.Delete(RowPolicy.Order.AFTER_JOB));
    }

    /** {@return the decision that statements of the feature remove the linked rows} */
    public static Decision removeRows(String what, RowRemoval removal) {
        return new Decision(By.ROWS, what, new RowPolicy.Own(removal));
    }

    /** {@return the decision that the hook of the feature does this} */
    public static Decision hook(String what) {
        return new Decision(By.HOOK, what, new RowPolicy.Keep());
    }

    /** {@return the decision that the kernel does this for the feature} */
    public static Decision kernel(String what) {
        return new Decision(By.KERNEL, what, new RowPolicy.Keep());
    }

    /** {@return this decision, with something that the hook of the feature does in addition} */
    public Decision andHook(String what) {
        return new Decision(By.HOOK, text + "; " + what, rows);
    }
}
