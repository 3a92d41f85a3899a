import type { Export } from '@svc/client';
import type { ReactNode } from 'react';
import { queryClient, svc } from '../../api.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { isDownloadable, isUnderWay } from './words.ts';

interface Props {
  readonly made: Export;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

export function DeleteExport({ made, onClose, onDeleted }: Props): ReactNode {
  const remove = async () => {
    await svc.exports.delete(made.id);
    onDeleted();
    await queryClient.invalidateQueries({ queryKey: ['exports', 'list'] });
  };
  return (
    <Confirm
      title="Delete the export"
      effect={
        <>
          <p>
            <code>{made.id}</code>
          </p>
          <p>{effectOf(made)} The trail keeps its events, and that this export was asked for.</p>
        </>
      }
      deed="Delete the export"
      run={remove}
      onClose={onClose}
    />
  );
}

function effectOf(made: Export): string {
  if (isUnderWay(made)) return 'It is being made: it ends, and what was made of it is deleted.';
  if (isDownloadable(made))
    return 'The bundle is deleted and cannot be downloaded any more. Who has downloaded it keeps it, and can check it.';
  return 'There is nothing of it to download; it goes from this list.';
}
