package dev.pawl;

/**
 * A slot could not be reserved, or no longer belongs to this owner. What the same transaction wrote must not be
 * committed.
 */
public final class SlotException extends PawlException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message what failed and what to do
     */
    public SlotException(String message) {
        super(message, null);
    }
}
