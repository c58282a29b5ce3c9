package dev.pawl.api;

/**
 * A slot could not be reserved, or no longer belongs to this owner. The transaction in which this was thrown must not
 * be committed.
 */
public final class SlotException extends PawlException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message the failure and the remedy
     */
    public SlotException(String message) {
        super(message, null);
    }
}
